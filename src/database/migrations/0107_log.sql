-- Who did what: one row for each operation that changed something, and one for each program.
create table log_entries (
  account_id text not null,
  id text not null,
  kind text not null,
  operation text,
  resource_id text,
  -- JSON: names of the fields that were given, never their values.
  fields text not null,
  -- JSON: how many resources changed, by event type.
  changes text not null,
  user_id text,
  caller_kind text not null,
  caller_id text not null,
  approver_id text,
  plan text,
  task_run text,
  created_at text not null,
  primary key (account_id, id)
);
create index log_entries_of_resources on log_entries (account_id, resource_id, id);
create index log_entries_by_age on log_entries (created_at);
