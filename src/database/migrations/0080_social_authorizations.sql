-- People on their way to a network's own page and back, found by the state that the network repeats.
create table social_authorizations (
  account_id text not null,
  id text not null,
  social_account text not null,
  platform text not null,
  state_hash text not null,
  browser_hash text not null,
  step text not null,
  sealed text not null,
  created_at text not null,
  expires_at text not null,
  primary key (account_id, id)
);
create index social_authorizations_by_id on social_authorizations (id);
create index social_authorizations_by_account on social_authorizations (account_id, social_account, id);
create index social_authorizations_by_expiry on social_authorizations (expires_at);

-- Apps that servers have registered for this service.
create table social_apps (
  account_id text not null,
  server text not null,
  sealed text not null,
  expires_at text not null,
  primary key (account_id, server)
);
create index social_apps_by_expiry on social_apps (expires_at);

-- When the access is to be renewed, and until when somebody is renewing it.
alter table social_accounts add column renew_at text;
alter table social_accounts add column renewing_until text;
-- Limits of the account's own server, as JSON.
alter table social_accounts add column limits text;
