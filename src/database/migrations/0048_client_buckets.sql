-- How often clients that have no token tried something, counted for all replicas. The key is hashed: it names an address.
create table client_buckets (
  client_key text primary key,
  permits double precision not null,
  refilled_at double precision not null
);
create index client_buckets_refilled on client_buckets (refilled_at);
