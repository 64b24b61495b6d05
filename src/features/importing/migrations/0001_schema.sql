-- Databases of earlier versions have this table from their baseline, so nothing is made twice.

-- The id that a row of an import was given here, so that it is imported once and other rows can refer to it.
create table if not exists imported_rows (
  account_id text not null,
  source text not null,
  kind text not null,
  source_id text not null,
  id text not null,
  primary key (account_id, source, kind, source_id)
);
