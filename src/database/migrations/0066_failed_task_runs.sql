-- When the owner of a task was last told, in real time, that a run of it had failed.
alter table tasks add column failure_told_at text;

-- Home counts those of the last days.
create index task_runs_failed on task_runs (account_id, completed_at) where status = 'failed';
