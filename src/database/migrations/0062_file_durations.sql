alter table files add column duration_ms integer;
