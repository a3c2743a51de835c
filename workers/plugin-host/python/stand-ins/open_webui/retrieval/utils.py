"""Passages of the caller's documents. Embeddings are the service's: functions that take one are not there."""
from ..routers.retrieval import QueryCollectionsForm, query_collection_handler


async def query_collection(request=None, collection_names=(), queries=(), embedding_function=None, k=None, **_options):
    """The passages for all queries together, the best first."""
    found = []
    for query in [queries] if isinstance(queries, str) else queries:
        form = QueryCollectionsForm(collection_names=list(collection_names), query=query, k=k)
        result = await query_collection_handler(form_data=form)
        found.extend(zip(result["distances"][0], result["documents"][0], result["metadatas"][0], strict=True))
    best, seen = [], set()
    for distance, document, metadata in sorted(found, key=lambda each: each[0]):
        if document not in seen:
            seen.add(document)
            best.append((distance, document, metadata))
    best = best[:k] if k else best
    return {name: [[each[at] for each in best]] for at, name in enumerate(("distances", "documents", "metadatas"))}
