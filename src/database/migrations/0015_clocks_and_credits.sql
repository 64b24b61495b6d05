-- A test account lives by a clock that can be moved forward; every other account lives by the system's.
alter table accounts add column test integer not null default 0;

-- The clock of a test account: it showed `moment` at the real time `since`, and goes on as time does.
create table account_clocks (
  account_id text not null,
  -- The account's own id.
  id text not null,
  moment text not null,
  since text not null,
  -- Set while it is being moved forward, when it stands at `moment`: by whom, where to, and when the mover counts as lost.
  advance_id text,
  target text,
  leased_until text,
  -- Where a command has asked a server to move it.
  requested text,
  primary key (account_id, id)
);

-- Whether a job is one transaction, or works outside.
alter table jobs add column lane text not null default 'outside';
drop index jobs_by_account;
create index jobs_by_lane on jobs (state, lane, account_id, run_at, id);

-- Every change of an account's credit balance; the sum of the changes is the balance.
create table credit_entries (
  account_id text not null,
  id text not null,
  kind text not null,
  delta bigint not null,
  -- What the credits are spent on, such as web_map, and which one of these.
  reason text not null,
  reference text,
  -- The entry that this one closes: a reservation is closed once.
  reservation text,
  balance_after bigint not null,
  created_at text not null,
  primary key (account_id, id),
  unique (account_id, reservation)
);

insert into credit_entries (account_id, id, kind, delta, reason, reference, reservation, balance_after, created_at)
select account_id, 'cred_' || substr(id, 6), 'opening', credit_balance, 'first_credits', null, null, credit_balance, created_at
from accounts;
