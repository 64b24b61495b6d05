-- SQLite uses these indexes.
select 1;
