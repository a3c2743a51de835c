-- Marks belong to the word they stand in: without them Hindi and Thai fall to pieces.
DROP TABLE chunk_search;
--> statement-breakpoint
CREATE VIRTUAL TABLE chunk_search USING fts5(scope, headings, body, content='', contentless_delete=1, tokenize="porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'");
