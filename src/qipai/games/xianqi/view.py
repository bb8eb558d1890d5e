"""stub"""
def view(s, seat): return {"phase": int(s["phase"])}
def narrate(before, action, seat): return []
