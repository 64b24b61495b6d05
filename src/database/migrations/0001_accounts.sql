create table accounts (
  account_id text not null,
  id text not null,
  name text not null,
  subdomain text not null unique,
  support_email text,
  default_currency text not null,
  timezone text not null,
  description text,
  credit_balance bigint not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

create table users (
  id text primary key,
  name text not null,
  email text not null unique,
  created_at text not null
);

create table memberships (
  account_id text not null,
  user_id text not null,
  role text not null,
  created_at text not null,
  primary key (account_id, user_id)
);

create table api_tokens (
  account_id text not null,
  id text not null,
  user_id text not null,
  name text not null,
  token_hash text not null unique,
  last_four text not null,
  created_at text not null,
  last_used_at text,
  primary key (account_id, id)
);

create table settings (
  name text primary key,
  value text not null
);
