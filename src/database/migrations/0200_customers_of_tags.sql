-- The number of customers with each tag, which rules keep.
alter table tags add column linked_count integer not null default 0;
