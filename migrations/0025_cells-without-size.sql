ALTER TABLE `vector_cells` DROP COLUMN `size`;
