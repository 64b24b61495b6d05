create table tombstones (
  account_id text not null,
  id text not null,
  sort_keys text not null,
  deleted_at text not null,
  primary key (account_id, id)
);

create table events (
  account_id text not null,
  id text not null,
  type text not null,
  resource_id text not null,
  data text not null,
  previous_attributes text,
  created_at text not null,
  primary key (account_id, id)
);

create table idempotency_keys (
  account_id text not null,
  user_id text not null,
  idempotency_key text not null,
  fingerprint text not null,
  claimed_at text not null,
  status integer,
  body text,
  primary key (account_id, user_id, idempotency_key)
);

create table rate_buckets (
  account_id text not null,
  token_id text not null,
  bucket text not null,
  tokens double precision not null,
  refilled_at double precision not null,
  primary key (account_id, token_id, bucket)
);

create table program_runs (
  account_id text not null,
  id text not null,
  user_id text not null,
  token_id text not null,
  kind text not null,
  code text not null,
  outcome text not null,
  error text,
  committed text not null,
  dry_run integer not null,
  runs integer not null,
  calls text not null,
  calls_count integer not null,
  duration_ms double precision not null,
  started_at text not null,
  primary key (account_id, id)
);
