-- What the rows of an account took in each table when they were last measured. An account without rows here was not measured yet.
create table storage_usage (
  account_id text not null,
  table_name text not null,
  bytes double precision not null,
  row_count double precision not null,
  measured_at text not null,
  primary key (account_id, table_name)
);
