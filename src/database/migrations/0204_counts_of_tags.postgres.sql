-- Triggers count the customers of each tag, also for processes of the version before. Each connection writes one of sixteen slots, so
-- that transactions that give the same tag rarely wait for each other. Rows that were there before are not counted yet.
create table customer_tags_counts (
  account_id text not null,
  tag_id text not null,
  slot integer not null,
  customers integer not null,
  primary key (account_id, tag_id, slot)
);
alter table customer_tags add column counted integer not null default 0;
alter table customer_tags alter column counted set default 1;
create function count_customer_tags() returns trigger language plpgsql as $$ begin
  insert into customer_tags_counts as known
  select account_id, tag_id, pg_backend_pid() % 16, count(*) * (case tg_op when 'INSERT' then 1 else -1 end)
  from changed where counted = 1 group by account_id, tag_id order by account_id, tag_id
  on conflict (account_id, tag_id, slot) do update set customers = known.customers + excluded.customers; return null; end $$;
create trigger count_added_customer_tags after insert on customer_tags
  referencing new table as changed for each statement execute function count_customer_tags();
create trigger count_removed_customer_tags after delete on customer_tags
  referencing old table as changed for each statement execute function count_customer_tags();
