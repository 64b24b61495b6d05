-- What rows are found by: the text of a few of their fields from each of its words on, folded to a-z, 0-9 and blanks.
create table search_entries (
  account_id text not null,
  kind text not null,
  entry text not null,
  id text not null,
  primary key (account_id, kind, entry, id)
) without rowid;

-- How far the rows have come that were there before they were found this way. Rows of all accounts, so it belongs to none.
create table search_progress (
  kind text not null primary key,
  after_account text not null,
  after_id text not null,
  done integer not null
) without rowid;
