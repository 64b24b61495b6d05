alter table users add column email_verified integer not null default 0;

alter table users add column updated_at text;

create table sessions (
  id text primary key,
  user_id text not null,
  token_hash text not null unique,
  ip_address text,
  user_agent text,
  expires_at text not null,
  created_at text not null,
  updated_at text not null
);

create index sessions_by_user on sessions (user_id);

create index sessions_by_expiry on sessions (expires_at);

create table sign_in_methods (
  id text primary key,
  user_id text not null,
  provider_id text not null,
  provider_account text not null,
  password_hash text,
  created_at text not null,
  updated_at text not null,
  unique (user_id, provider_id)
);

create table verifications (
  id text primary key,
  identifier text not null,
  value text not null,
  expires_at text not null,
  created_at text not null,
  updated_at text not null
);

create index verifications_by_identifier on verifications (identifier);

create index verifications_by_expiry on verifications (expires_at);

create table passkeys (
  id text primary key,
  user_id text not null,
  name text,
  public_key text not null,
  credential_id text not null unique,
  counter bigint not null,
  device_type text not null,
  backed_up integer not null,
  transports text,
  aaguid text,
  created_at text not null
);

create index passkeys_by_user on passkeys (user_id);

create table invitations (
  account_id text not null,
  id text not null,
  email text not null,
  role text not null,
  invited_by text not null,
  expires_at text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

-- The address of an invitation's page names the invitation alone.
create index invitations_by_id on invitations (id);

create unique index invitations_by_email on invitations (account_id, email);
