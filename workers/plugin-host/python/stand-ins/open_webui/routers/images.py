"""Pictures by the model that the service is set up with; they become files of the caller."""
from plugin_harness.calls import current_call
from plugin_harness.capabilities import request as ask
from pydantic import BaseModel


class CreateImageForm(BaseModel):
    model: str | None = None
    prompt: str
    size: str | None = None
    n: int = 1
    steps: int | None = None
    negative_prompt: str | None = None


GenerateImageForm = CreateImageForm


class EditImageForm(BaseModel):
    image: str | list[str]
    prompt: str
    model: str | None = None
    size: str | None = None
    n: int | None = None
    negative_prompt: str | None = None
    background: str | None = None


async def _make(right, form):
    values = form if isinstance(form, dict) else form.model_dump()
    return await ask(current_call(), right, **{key: value for key, value in values.items() if value is not None})


async def image_generations(request=None, form_data=None, metadata=None, user=None):
    """@returns the pictures, each with `url` and `id`. The model is the one of the settings, whatever the form says."""
    return await _make("image.create", form_data)


async def image_edits(request=None, form_data=None, metadata=None, user=None):
    """`image` is a file of the caller (its id or address) or a data URL."""
    values = form_data if isinstance(form_data, dict) else form_data.model_dump()
    given = values["image"] if isinstance(values["image"], list) else [values["image"]]
    return await _make("image.edit", {**values, "image": [_address(each) for each in given]})


def _address(image):
    return image if "/" in image or image.startswith("data:") else f"/api/v1/files/{image}/content"


generate_images = image_generations
edit_images = image_edits
