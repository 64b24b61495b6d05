-- Programs that go on batch by batch, and the rows that each was begun with.
create table background_programs (
  account_id text not null,
  id text not null,
  state text not null,
  code text not null,
  caller_kind text not null,
  caller_id text not null,
  user_id text not null,
  token_id text,
  limits text not null,
  approvers text not null,
  task_run text,
  origin text,
  plan text,
  list text not null,
  batch_size integer not null,
  rows_count integer not null,
  place integer not null,
  left_out_count integer not null,
  batches_count integer not null,
  calls_paid integer not null,
  changes text not null,
  last_value text,
  value_sum double precision,
  operations text,
  asked_operations text,
  error_type text,
  error text,
  error_line integer,
  error_hint text,
  job text,
  next_at text,
  started_at text,
  finished_at text,
  expires_at text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create index background_programs_by_state on background_programs (account_id, state, id);
create index background_programs_by_plan on background_programs (account_id, plan) where plan is not null;
create index background_programs_expired on background_programs (expires_at);

-- Ids in their order, without the prefix that they share, separated by spaces; `place` is that of the first.
create table background_rows (
  account_id text not null,
  program_id text not null,
  place integer not null,
  ids text not null,
  expires_at text,
  primary key (account_id, program_id, place)
);
create index background_rows_expired on background_rows (expires_at);

-- The background program that a run was a batch of.
alter table program_runs add column background text;
