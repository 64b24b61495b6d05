-- How an account takes payments by x402. An account has one row at most, whose id is the account's own; without it, the
-- account takes none.
create table x402_configurations (
  account_id text not null,
  id text not null,
  x402_enabled integer not null,
  x402_wallet_address text,
  x402_chain text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
