-- Triggers count the customers of each tag.
create table customer_tags_counts (
  account_id text not null,
  tag_id text not null,
  customers integer not null,
  primary key (account_id, tag_id)
);
insert into customer_tags_counts select account_id, tag_id, count(*) from customer_tags group by account_id, tag_id;
create trigger count_added_customer_tag after insert on customer_tags begin
  insert into customer_tags_counts values (new.account_id, new.tag_id, 1)
  on conflict (account_id, tag_id) do update set customers = customers + 1;
end;
create trigger count_removed_customer_tag after delete on customer_tags begin
  update customer_tags_counts set customers = customers - 1 where account_id = old.account_id and tag_id = old.tag_id;
end;
