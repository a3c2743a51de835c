from starlette.datastructures import UploadFile

__all__ = ["UploadFile"]
