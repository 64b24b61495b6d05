create table program_plans (
  account_id text not null,
  id text not null,
  user_id text not null,
  caller_id text not null,
  applier_id text,
  code text not null,
  changes text not null,
  shown text not null,
  state text not null,
  planned_at text not null,
  expires_at text not null,
  decided_at text,
  primary key (account_id, id)
);

create table program_results (
  account_id text not null,
  once_key text not null,
  fingerprint text not null,
  answer text not null,
  committed_at text not null,
  primary key (account_id, once_key)
);
