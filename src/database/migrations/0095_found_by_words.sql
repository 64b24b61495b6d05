-- What people type into the search boxes of lists: the beginning of a name or of an address, whatever the case. Each of these
-- serves one range. Like the indexes that sort, they have a condition that only such a look-up says: see 0047.
create index customers_by_name on customers (account_id, (lower(name)), id) where length(id) > 0;
create index customers_by_last_name on customers (account_id, (lower(last_name)), id) where length(id) > 0;
create index products_by_first_words on products (account_id, (lower(name)), id) where length(id) > 0;
create index emails_by_recipient on emails (account_id, (lower("to")), id) where length(id) > 0;
create index files_by_filename on files (account_id, (lower(filename)), id) where length(id) > 0;
create index files_by_title on files (account_id, (lower(title)), id) where length(id) > 0;
