/*
 * What the database knows of object storage, as SQL that selects keys. Here, because it is about the tables of every slice that
 * stores objects, and is read by backups, the doctor and its repairs.
 */

/** Objects that must be there. A text counts when the file has it, and when it differs from the file. */
export const neededObjects = `
  SELECT 'files/' || id AS key FROM files
  UNION ALL SELECT 'files/' || id || '/text/' || version FROM files WHERE version > 0 AND coalesce(text_sha256 <> sha256, 1)
  UNION ALL SELECT 'packages/' || id FROM plugin_packages
  UNION ALL SELECT 'plugin-databases/' || object_id FROM plugin_databases
  UNION ALL SELECT 'responses/' || id FROM stored_responses WHERE is_large
  UNION ALL SELECT 'tool-results/' || chat_id || '/' || (data ->> '$.file.id') FROM message_items
    WHERE kind = 'tool' AND data ->> '$.file.id' IS NOT NULL`;

/** Objects that may be there: they are being written, or will be deleted by a timer. */
export const passingObjects = `
  SELECT key FROM uploads
  UNION ALL SELECT 'files/' || file_id || '/text/' || version FROM file_texts
  UNION ALL SELECT 'packages/' || (value ->> '$.id') FROM package_downloads, json_each(package_downloads.packages) WHERE state IN ('planned', 'running')
  UNION ALL SELECT key FROM dropped_uploads
  UNION ALL SELECT key FROM dropped_blobs`;
