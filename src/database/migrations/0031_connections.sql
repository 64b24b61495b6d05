-- Clients that have registered themselves. Those that nobody has allowed anything are forgotten after a while.
create table oauth_clients (
  id text primary key,
  name text not null,
  redirect_uris text not null,
  used integer not null,
  created_at text not null,
  expires_at text not null
);

create index oauth_clients_unused on oauth_clients (used, id);
create index oauth_clients_expiry on oauth_clients (expires_at);

create table connections (
  account_id text not null,
  id text not null,
  user_id text not null,
  client_id text not null,
  client_name text not null,
  client_domain text,
  returns_to text not null,
  "right" text not null,
  allowed_by text not null,
  status text not null,
  last_used_at text,
  revoked_at text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

create index connections_revoked on connections (revoked_at);

create table oauth_codes (
  account_id text not null,
  code_hash text not null unique,
  consent text not null,
  connection_id text,
  expires_at text not null,
  primary key (account_id, code_hash)
);

create index oauth_codes_expiry on oauth_codes (expires_at);

create table oauth_tokens (
  account_id text not null,
  id text not null,
  connection_id text not null,
  kind text not null,
  token_hash text not null unique,
  created_at text not null,
  expires_at text not null,
  rotated_at text,
  primary key (account_id, id)
);

create index oauth_tokens_of_connection on oauth_tokens (account_id, connection_id, id);
create index oauth_tokens_expiry on oauth_tokens (expires_at);
