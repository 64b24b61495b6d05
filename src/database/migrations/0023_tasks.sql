create table tasks (
  account_id text not null,
  id text not null,
  name text not null,
  description text,
  trigger_type text not null,
  cron_expression text,
  interval_seconds integer,
  scheduled_at text,
  timezone text not null,
  event_types text not null,
  event_source text,
  delivery_methods text not null,
  approval_mode text not null,
  model_id text,
  active integer not null,
  expires_at text,
  last_run text,
  next_run_at text,
  runs_count integer not null,
  owner_user text not null,
  owner_token text,
  scheduled_from text,
  due_job text,
  created_at text not null,
  updated_at text not null,
  prompt text not null,
  primary key (account_id, id)
);

-- Every event of an account looks for the tasks that it starts.
create index tasks_by_trigger on tasks (account_id, trigger_type, active, id);
create index tasks_by_event_source on tasks (account_id, event_source) where event_source is not null;
create index tasks_by_owner_token on tasks (owner_token) where owner_token is not null;

create table task_runs (
  account_id text not null,
  id text not null,
  task_id text not null,
  -- Null once the task is deleted.
  task text,
  task_name text not null,
  status text not null,
  input_tokens integer not null,
  output_tokens integer not null,
  credits_consumed integer not null,
  tool_calls_count integer not null,
  duration_ms bigint,
  started_at text,
  completed_at text,
  chain text not null,
  plan text,
  runner_job text,
  created_at text not null,
  updated_at text not null,
  question text,
  input text,
  summary text,
  error_message text,
  event text,
  primary key (account_id, id)
);

create index task_runs_by_task on task_runs (account_id, task_id, id);
create index task_runs_by_status on task_runs (account_id, status, id);
create index task_runs_by_plan on task_runs (account_id, plan) where plan is not null;

-- The run of a task that a job comes from, so that what the job does is known to come from it too.
alter table jobs add column origin text;

-- The run of a task that has spent credits.
alter table credit_entries add column run text;
create index credit_entries_by_run on credit_entries (account_id, run) where run is not null;
