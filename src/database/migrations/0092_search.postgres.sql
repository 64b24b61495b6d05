-- What rows are found by: the text of a few of their fields from each of its words on, folded to a-z, 0-9 and blanks.
-- Compared byte by byte, whatever the collation of the database: a beginning is a range of the key then.
create table search_entries (
  account_id text collate "C" not null,
  kind text collate "C" not null,
  entry text collate "C" not null,
  id text collate "C" not null,
  primary key (account_id, kind, entry, id)
);

-- How far the rows have come that were there before they were found this way. Rows of all accounts, so it belongs to none.
create table search_progress (
  kind text collate "C" not null primary key,
  after_account text not null,
  after_id text not null,
  done integer not null
);
