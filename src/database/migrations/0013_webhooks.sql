create table webhook_endpoints (
  account_id text not null,
  id text not null,
  url text not null,
  status text not null,
  enabled_events text not null,
  format text not null,
  description text,
  api_version text not null,
  sealed_secret text not null,
  starts_after text not null,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

-- What deliveries to an endpoint come to, and which process makes them: apart from the endpoint, which every change of the
-- account reads, so that neither waits for the other.
create table webhook_queues (
  account_id text not null,
  endpoint_id text not null,
  last_delivery_at text,
  failure_count integer not null,
  failing_since text,
  holder text,
  leased_until bigint not null,
  primary key (account_id, endpoint_id)
);

create unique index webhook_queues_by_endpoint on webhook_queues (endpoint_id);

-- The payload comes last: what comes before it is read without it.
create table webhook_events (
  account_id text not null,
  id text not null,
  type text not null,
  api_version text not null,
  webhook_endpoint text not null,
  event_group text not null,
  status text not null,
  attempts integer not null,
  response_status integer,
  error_message text,
  next_attempt_at text,
  delivered_at text,
  queue text,
  due_ms bigint not null,
  finished_at text,
  created_at text not null,
  updated_at text not null,
  response_body text,
  payload text not null,
  primary key (account_id, id)
);

create index webhook_events_queued on webhook_events (queue, webhook_endpoint, id) where queue is not null;
create index webhook_events_waiting on webhook_events (due_ms) where queue = 'waiting';
create index webhook_events_by_endpoint on webhook_events (account_id, webhook_endpoint, id);
create index webhook_events_by_status on webhook_events (account_id, status, id);
create index webhook_events_finished on webhook_events (finished_at) where finished_at is not null;
