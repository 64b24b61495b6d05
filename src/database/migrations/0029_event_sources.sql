create table event_sources (
  account_id text not null,
  id text not null,
  provider text not null,
  event_type text not null,
  name text,
  config text not null,
  status text not null,
  last_event_at text,
  error_message text,
  sealed_secrets text,
  failure_count integer not null,
  job text,
  created_at text not null,
  updated_at text not null,
  primary key (account_id, id)
);

-- The address that takes events names the source alone.
create index event_sources_by_id on event_sources (id);

create table event_source_memories (
  account_id text not null,
  event_source text not null,
  memory text not null,
  primary key (account_id, event_source)
);

create table event_source_deliveries (
  account_id text not null,
  event_source text not null,
  delivery_key text not null,
  received_at text not null,
  primary key (account_id, event_source, delivery_key)
);

create index event_source_deliveries_by_time on event_source_deliveries (received_at);
