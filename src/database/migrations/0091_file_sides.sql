-- Pixels of pictures and videos, as they are shown; null where they are not known.
alter table files add column width integer;
alter table files add column height integer;
-- Files from before are measured when a post publishes them.
alter table files add column measured integer not null default 0;
