alter table tasks add column trust_events integer not null default 0;
alter table task_runs add column asked text;
