-- PostgreSQL limits the length of indexed texts, so it reads the rows.
select 1;
