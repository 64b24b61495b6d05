-- Disputed payments, with what their bank says and what the shop has answered. Orders that were disputed before have none.
create table disputes (
  account_id text not null,
  id text not null,
  "order" text not null,
  payment text not null,
  reference text not null,
  amount bigint not null,
  currency text not null,
  status text not null,
  inquiry integer not null,
  reason text not null,
  due_at text,
  response text,
  response_status text,
  response_error text,
  answer text,
  evidence text,
  responded_at text,
  responded_by text,
  within_limit integer not null default 0,
  closed_at text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
create unique index disputes_of_order on disputes (account_id, "order", reference);
create index disputes_to_answer on disputes (account_id, due_at) where status = 'needs_response';
