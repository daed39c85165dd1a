"""`show cdp neighbors detail`: the devices at the other end of each link."""
