-- Addresses that name no account find a row by its id alone, with the condition of these indexes. Everybody else goes by the key, which begins
-- with the account: the newest ids of all accounts share a page of an index of ids, and a transaction that has read a page conflicts with
-- every other one that adds to it.
create index checkout_links_by_id_alone on checkout_links (id) where length(id) > 0;
create index checkouts_by_id_alone on checkouts (id) where length(id) > 0;
create index customers_by_id_alone on customers (id) where length(id) > 0;
create index event_sources_by_id_alone on event_sources (id) where length(id) > 0;
create index files_by_id_alone on files (id) where length(id) > 0;
create index form_submissions_by_id_alone on form_submissions (id) where length(id) > 0;
create index forms_by_id_alone on forms (id) where length(id) > 0;
create index invitations_by_id_alone on invitations (id) where length(id) > 0;
create index invoices_by_id_alone on invoices (id) where length(id) > 0;
create index notification_addresses_by_id_alone on notification_addresses (id) where length(id) > 0;
create index price_variants_by_id_alone on price_variants (id) where length(id) > 0;

-- The search finds rows by the text of a few of their fields, from each of its words on, folded to a-z, 0-9 and blanks. The text is compared
-- byte by byte under any collation of the database, so that a beginning is a range of the key.
create table search_entries (
  account_id text collate "C" not null,
  kind text collate "C" not null,
  entry text collate "C" not null,
  id text collate "C" not null,
  primary key (account_id, kind, entry, id)
);

-- How far a running server has come in making entries for rows that were there before. Rows of all accounts, so it belongs to none.
create table search_progress (
  kind text collate "C" not null primary key,
  after_account text not null,
  after_id text not null,
  done integer not null
);
