-- What rows of a source have become, so that each is taken once, and others can refer to it.
create table imported_rows (
  account_id text not null,
  source text not null,
  kind text not null,
  source_id text not null,
  id text not null,
  primary key (account_id, source, kind, source_id)
);
