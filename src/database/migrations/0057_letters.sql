-- What is left of an account's budgets of letters: for each kind, and for each kind and recipient, whose address is hashed.
-- In real time, whatever clock the account has. A row that was not touched for a day is full, and is removed.
create table letter_buckets (
  account_id text not null,
  bucket text not null,
  permits double precision not null,
  refilled_at double precision not null,
  primary key (account_id, bucket)
);
create index letter_buckets_refilled on letter_buckets (refilled_at);

-- Addresses that hear of the submissions of forms, and whether their owners have agreed. Those that are never confirmed are
-- removed after `expires_at`, which is null once they are.
create table notification_addresses (
  account_id text not null,
  id text not null,
  address text not null,
  confirmed_at text,
  expires_at text,
  created_at text not null,
  primary key (account_id, id)
);
create unique index notification_addresses_by_address on notification_addresses (account_id, address);
create index notification_addresses_by_id on notification_addresses (id);
create index notification_addresses_by_expiry on notification_addresses (expires_at);
