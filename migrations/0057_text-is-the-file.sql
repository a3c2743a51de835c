-- A text that is the same as its file is read from the file: the sweeper deletes the copies.
INSERT INTO dropped_uploads (storage_id, key)
SELECT 'text-' || t.number, 'files/' || t.file_id || '/text/' || t.version
FROM file_texts t JOIN files f ON f.id = t.file_id AND f.sha256 = t.sha256;
