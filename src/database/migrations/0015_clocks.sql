-- A test account lives by a clock that can be moved forward; every other account lives by the system's.
alter table accounts add column test integer not null default 0;

-- The clock of a test account: it stands at `moment` until the real time `since`, and goes on from there as time does.
create table account_clocks (
  account_id text not null,
  -- The account's own id.
  id text not null,
  moment text not null,
  since text not null,
  -- Set while it is being moved forward: by whom, and where to.
  advance_id text,
  target text,
  -- Where a command has asked a server to move it.
  requested text,
  primary key (account_id, id)
);

-- Whether a job is one transaction, or works outside.
alter table jobs add column lane text not null default 'outside';
drop index jobs_by_account;
create index jobs_by_lane on jobs (state, lane, account_id, run_at, id);
