-- Accounts that are being deleted, or were a short while ago: what is left of them is removed under these ids.
create table account_deletions (
  id text primary key,
  begun_at text not null
);
