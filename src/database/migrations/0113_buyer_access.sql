-- Links that were mailed to buyers, and browsers in which buyers are signed in: keyed hashes alone. `email` is the address that a
-- link was mailed to; both are over when the customer has another.
create table buyer_links (
  account_id text not null,
  token_hash text not null,
  purpose text not null,
  customer text not null,
  email text not null,
  expires_at text not null,
  primary key (account_id, token_hash)
);
create index buyer_links_expiry on buyer_links (expires_at);
create index buyer_links_customer on buyer_links (account_id, customer);
create table buyer_sessions (
  account_id text not null,
  token_hash text not null,
  customer text not null,
  email text not null,
  created_at text not null,
  expires_at text not null,
  primary key (account_id, token_hash)
);
create index buyer_sessions_expiry on buyer_sessions (expires_at);
create index buyer_sessions_customer on buyer_sessions (account_id, customer);
