-- A buyer's way to another card for the subscriptions, at the provider: one at a time for each customer.
create table card_changes (
  account_id text not null,
  id text not null,
  customer text not null,
  provider text not null,
  status text not null,
  reference text,
  url text,
  failure_message text,
  created_at text not null,
  expires_at text not null,
  primary key (account_id, id)
);
create unique index card_changes_customer on card_changes (account_id, customer);
