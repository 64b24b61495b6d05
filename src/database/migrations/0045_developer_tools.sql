-- Every attempt to deliver an event: when, how long it took, and the beginning of the answer.
create table webhook_attempts (
  account_id text not null,
  id text not null,
  webhook_event text not null,
  number integer not null,
  response_status integer,
  error_message text,
  duration_ms integer not null,
  created_at text not null,
  response_body text,
  primary key (account_id, id)
);

create index webhook_attempts_by_event on webhook_attempts (account_id, webhook_event, id);
create index webhook_attempts_created on webhook_attempts (created_at);

-- The deliveries of one event.
create index webhook_events_by_group on webhook_events (account_id, event_group, id);
-- What has happened to one resource.
create index events_by_resource on events (account_id, resource_id, id);

-- Requests that were answered, the latest of each account. Never their bodies.
create table api_requests (
  account_id text not null,
  id text not null,
  transport text not null,
  method text not null,
  path text not null,
  operation text,
  status integer not null,
  error_code text,
  error_message text,
  -- JSON: names of parameters that were wrong.
  parameters text not null,
  caller text not null,
  user_id text,
  duration_ms integer not null,
  -- Requests of the same moment that were not kept.
  left_out integer not null,
  created_at text not null,
  primary key (account_id, id)
);

create index api_requests_created on api_requests (created_at);

-- Archives of everything that an account has.
create table account_exports (
  account_id text not null,
  id text not null,
  status text not null,
  requested_by text not null,
  parts_done integer not null,
  parts_total integer not null,
  rows_done bigint not null,
  size bigint,
  store text,
  error_message text,
  ready_at text,
  expires_at text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);
