-- Runs and plans as the dashboard lists and shows them.
alter table program_runs rename column started_at to created_at;
alter table program_runs add column caller_kind text not null default 'token';
alter table program_runs add column task_run text;
alter table program_runs add column plan text;
alter table program_runs add column error_hint text;
alter table program_runs add column error_line integer;
alter table program_runs add column changes text not null default '{}';

alter table program_plans rename column planned_at to created_at;
alter table program_plans add column caller_kind text not null default 'token';
alter table program_plans add column task_run text;
alter table program_plans add column proposed integer not null default 0;
alter table program_plans add column note text;
alter table program_plans add column decided_by text;
-- When the approvers were written to.
alter table program_plans add column announced_at text;
