-- SQLite has counted them.
select 1;
