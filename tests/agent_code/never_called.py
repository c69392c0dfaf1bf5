import camb


def main():
    camb.get_results(camb.set_params(H0=67.5))
# expect: models=0; finding no_model
