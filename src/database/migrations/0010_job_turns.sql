create index jobs_by_account on jobs (state, account_id, run_at, id);
create index jobs_finished on jobs (finished_at);
create index events_created on events (created_at);
create index program_runs_started on program_runs (started_at);
create index tombstones_deleted on tombstones (deleted_at);
create index idempotency_keys_claimed on idempotency_keys (claimed_at);
create index program_plans_expired on program_plans (expires_at);
create index program_results_committed on program_results (committed_at);
