-- Whether people are e-mailed when a run of their task fails.
alter table accounts add column failed_run_emails integer not null default 1;
