-- Others whose rights bound what is done for a task, a run of it, or a plan, as JSON: [{"userId": …, "tokenId": …}].
alter table tasks add column limits text not null default '[]';
alter table task_runs add column limits text not null default '[]';
-- Those who have approved the plan of a run.
alter table task_runs add column approvers text not null default '[]';
-- 1 once the program of a run has committed changes: it can be canceled no more.
alter table task_runs add column kept integer not null default 0;
alter table program_plans add column limits text not null default '[]';
-- The token that planned it; null for a person.
alter table program_plans add column planner_token text;

update program_plans set planner_token = caller_id where caller_kind = 'token';

create index program_plans_by_token on program_plans (planner_token) where planner_token is not null;
create index program_plans_by_run on program_plans (account_id, task_run) where task_run is not null;

-- Tasks that the program of a plan has made had all rights of the user who planned, whoever approved it. Who did is not known
-- of each, so their runs wait for an approval from now on.
update tasks set approval_mode = 'supervised' where owner_token is null and exists (
  select 1 from program_runs where program_runs.account_id = tasks.account_id and program_runs.plan is not null
  and program_runs.dry_run = 0 and program_runs.calls like '%' || tasks.id || '%'
);
