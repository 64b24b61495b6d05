alter table rate_buckets rename column token_id to caller_id;
alter table rate_buckets rename column tokens to permits;
alter table program_runs rename column token_id to caller_id;
alter table api_tokens add column right_name text not null default 'write';

create table jobs (
  account_id text not null,
  id text not null,
  name text not null,
  payload text not null,
  state text not null,
  attempts integer not null,
  run_at text not null,
  leased_until text,
  last_error text,
  created_at text not null,
  finished_at text,
  primary key (account_id, id)
);

create index jobs_due on jobs (state, run_at);
