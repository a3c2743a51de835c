"""Files on their way: what is uploaded here lies in the isolate's own memory until `Files.insert_new_file` makes it a file of the
caller, and what belongs to a file of the caller is fetched when it is asked for."""
import os

from ..config import UPLOAD_DIR
from ..models.files import fetch_path


class StorageProvider:
    @staticmethod
    def upload_file(file, filename, tags=None):
        """@returns the bytes, and a path for FileForm"""
        contents = file.read()
        if not contents:
            raise ValueError("The file is empty")
        path = os.path.join(UPLOAD_DIR, os.path.basename(filename))
        with open(path, "wb") as out:
            out.write(contents)
        return contents, path

    @staticmethod
    def get_file(file_path):
        """@returns a path that can be opened"""
        return fetch_path(file_path)

    @staticmethod
    def delete_file(file_path):
        if os.path.exists(file_path):
            os.remove(file_path)


LocalStorageProvider = StorageProvider
Storage = StorageProvider()


def get_storage_provider(storage_provider=None):
    return Storage
