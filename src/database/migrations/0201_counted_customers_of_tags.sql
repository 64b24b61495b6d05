-- online
-- Tags that customers had before are counted; what a process of the version before links meanwhile is found by the next round.
-- repeat
update tags set linked_count = (
  select count(*) from customer_tags where customer_tags.account_id = tags.account_id and customer_tags.tag_id = tags.id
)
where (account_id, id) in (
  select counted.account_id, counted.id from tags as counted
  where counted.linked_count <> (
    select count(*) from customer_tags
    where customer_tags.account_id = counted.account_id and customer_tags.tag_id = counted.id
  )
  limit 1000
);
