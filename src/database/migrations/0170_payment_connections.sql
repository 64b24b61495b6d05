-- An account's own connections to payment providers, with their keys encrypted. Payments, subscriptions and card changes name
-- the one that they were made with as their provider.
create table payment_connections (
  account_id text not null,
  id text not null,
  provider text not null,
  provider_account text not null,
  name text,
  live integer not null,
  access text not null,
  status text not null,
  sealed_key text,
  key_hint text,
  sealed_notices_secrets text,
  notices_id text,
  details text not null default '{}',
  refused_at text,
  refused_reason text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create unique index payment_connections_current on payment_connections (account_id) where status = 'current';
create index payment_connections_provider_account on payment_connections (provider_account);
create unique index payment_connections_place on payment_connections (account_id, provider, provider_account, live);
-- Whether the account has charged through the service's own keys, and so keeps them.
alter table accounts add column charges_by_service integer not null default 0;
-- Whether no money moved although the account is live.
alter table orders add column simulated integer not null default 0;
-- Since when charges wait for a connection, and when they could be made again.
alter table subscriptions add column held_since text;
alter table subscriptions add column due_since text;
