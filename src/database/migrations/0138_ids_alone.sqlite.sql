-- SQLite takes the key wherever the account is known, so its indexes of ids stay as they are.
select 1;
