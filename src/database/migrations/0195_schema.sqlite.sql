-- Addresses that name no account find a row by its id alone. SQLite takes the key wherever the account is known.
create index checkout_links_by_id on checkout_links (id);
create index checkouts_by_id on checkouts (id);
create index customers_by_id on customers (id);
create index event_sources_by_id on event_sources (id);
create index files_by_id on files (id);
create index form_submissions_by_id on form_submissions (id);
create index forms_by_id on forms (id);
create index invitations_by_id on invitations (id);
create index invoices_by_id on invoices (id);
create index notification_addresses_by_id on notification_addresses (id);
create index price_variants_by_id on price_variants (id);

-- The search finds rows by the text of a few of their fields, from each of its words on, folded to a-z, 0-9 and blanks.
create table search_entries (
  account_id text not null,
  kind text not null,
  entry text not null,
  id text not null,
  primary key (account_id, kind, entry, id)
) without rowid;

-- How far a running server has come in making entries for rows that were there before. Rows of all accounts, so it belongs to none.
create table search_progress (
  kind text not null primary key,
  after_account text not null,
  after_id text not null,
  done integer not null
) without rowid;
