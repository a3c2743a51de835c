"""What types with a schema of their own are handed."""


class GetCoreSchemaHandler:
    def __call__(self, source):
        own = getattr(source, "__get_pydantic_core_schema__", None)
        return source.__get_pydantic_core_schema__(source, self) if own else {"type": "annotation", "annotation": source}

    generate_schema = __call__

    def resolve_ref_schema(self, schema):
        return schema

    @property
    def field_name(self):
        return None


class GetJsonSchemaHandler:
    mode = "validation"

    def __call__(self, schema):
        from ._schema import Builder

        return Builder().of_core(schema)

    def resolve_ref_schema(self, schema):
        return schema
